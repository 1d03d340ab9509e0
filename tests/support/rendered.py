"""The SQL of dbt models and macros without dbt, for DuckDB: milliseconds where dbt needs seconds to parse."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jinja2

PROJECT = Path(__file__).parents[2] / "dbt_project"
MACRO = re.compile(r"{%-? macro (\w+).*?endmacro -?%}", re.DOTALL)


class _Returned(Exception):
    """dbt's `return`: a macro that hands back a value instead of text."""


class Renderer:
    """Renders `{{ … }}` with the project's macros; `ref('x')` becomes `x`, `source('x', 'y')` becomes `x.y`."""

    def __init__(self) -> None:
        self._environment = jinja2.Environment(autoescape=False)
        self._names = self._environment.globals
        self._names |= {"source": "{}.{}".format}
        self._names |= {"ref": str, "config": lambda **_: "", "none": None, "return": _give_back, "adapter": self}
        for path in PROJECT.glob("macros/**/*.sql"):
            for macro in MACRO.finditer(path.read_text(encoding="utf-8")):
                self._names[macro[1]] = self._callable(macro[1], macro[0])

    def text(self, sql: str) -> str:
        return self._environment.from_string(sql).render()

    def model(self, name: str) -> str:
        [path] = PROJECT.glob(f"models/**/{name}.sql")
        return self.text(path.read_text(encoding="utf-8"))

    def dispatch(self, name: str) -> Any:
        """What dbt's `adapter.dispatch` finds for DuckDB."""
        return self._names.get(f"duckdb__{name}") or self._names[f"default__{name}"]

    def _callable(self, name: str, source: str) -> Callable[..., Any]:
        template = self._environment.from_string(source)

        def call(*positional: Any, **named: Any) -> Any:
            try:
                return getattr(template.make_module(), name)(*positional, **named)
            except _Returned as returned:
                return returned.args[0]

        return call


def _give_back(value: Any) -> None:
    raise _Returned(value)
