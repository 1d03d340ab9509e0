"""dbt's `adapter` as the linter sees it: a dispatched macro is a call of that name."""

from collections.abc import Callable


def dispatch(name: str) -> Callable[..., str]:
    return lambda *arguments: f"{name}({', '.join(map(str, arguments))})"
