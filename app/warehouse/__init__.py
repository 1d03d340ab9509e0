"""Events in, published marts out.

inputs      what a build is made of, frozen; its id
build       one build: nothing where CURRENT has it, else the work, then the flip
make        the work: views over the frozen files, dbt, Parquet
dbt_runner  dbt in this process, quiet, one line per failure
publish     marts to Parquet, and their contracts
builds      the builds on disk and which one is published
lock        one build or prune at a time in one home
query       the published marts, read only
check       whether published files are what was written
prune       what nobody reads any more

build, builds and inputs import neither dbt nor DuckDB nor Arrow: a build with nothing to do takes a blink.
"""
