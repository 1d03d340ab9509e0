"""One module per command of `meterhouse`. What a command needs is imported when it runs, so that help comes at once.

demo      the main job on the shipped data
collect   what is new, into the store
build     dbt, published
sql       the published marts
verify    every stored and published file
prune     what nobody reads any more
serve     the app
doctor    what is installed, stale or missing
shared    the options and lines that several commands have
"""
