"""What people use: the command line and the pages. Both read published marts only; commands also call collectors.

cli          `meterhouse`: the entry, exit codes and one-line errors
commands/    one module per command
warehouse/   events in, published marts out
formats      how a number is written for a person
exports      how rows are written for a program
"""
