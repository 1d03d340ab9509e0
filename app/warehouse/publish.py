"""Marts to Parquet, and their contracts."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import duckdb

from app.warehouse.builds import CONTRACTS
from collectors import atomic
from models.errors import BuildFailed


def export(database: Path, manifest: Path, folder: Path) -> None:
    """Write every relation of schema `marts` as Parquet under folder/marts, in one row order, and contracts.json."""
    described = _described(manifest)
    contracts = {}
    with duckdb.connect(str(database), read_only=True) as connection:
        connection.execute("set TimeZone='UTC'")
        for mart in _marts(connection):
            columns = _columns(connection, mart)
            path = _write(connection, mart, folder / "marts")
            contracts[mart] = _contract(connection, path, columns, described.get(mart, {}))
    if not contracts:
        raise BuildFailed(
            "build failed: expected relations in the schema marts, found none; the project builds no mart"
        )
    atomic.replace(folder / CONTRACTS, json.dumps(contracts, indent=1).encode())


def _write(connection: duckdb.DuckDBPyConnection, mart: str, folder: Path) -> Path:
    atomic.make_folder(folder)
    path = folder / f"{mart}.parquet"
    rows = f"(select * from marts.{_name(mart)} order by all)"
    connection.execute(f"copy {rows} to {quoted(str(path))} (format parquet, compression zstd)")
    flush(path)
    return path


def _marts(connection: duckdb.DuckDBPyConnection) -> list[str]:
    rows = connection.execute(
        "select table_name from information_schema.tables where table_schema = 'marts' order by table_name"
    ).fetchall()
    return [name for (name,) in rows]


def _columns(connection: duckdb.DuckDBPyConnection, mart: str) -> dict[str, str]:
    """Column -> type. Refuses what Parquet would store as something else."""
    rows = connection.execute(f"describe marts.{_name(mart)}").fetchall()
    types = {row[0]: row[1] for row in rows}
    for column, kind in types.items():
        if "HUGEINT" in kind:
            raise BuildFailed(
                f"build failed: {mart}.{column} is {kind}, which Parquet holds as DOUBLE; cast it to BIGINT"
            )
    return types


def _contract(
    connection: duckdb.DuckDBPyConnection, path: Path, types: dict[str, str], described: dict[str, Any]
) -> dict[str, Any]:
    [(rows,)] = connection.execute(f"select count(*) from read_parquet({quoted(str(path))})").fetchall()
    words = {name.lower(): column["description"] for name, column in described.get("columns", {}).items()}
    return {
        "description": described.get("description", ""),
        "rows": rows,
        "bytes": path.stat().st_size,
        "sha256": file_hash(path),
        "columns": {name: {"type": kind, "description": words.get(name.lower(), "")} for name, kind in types.items()},
    }


def _described(manifest: Path) -> dict[str, dict[str, Any]]:
    """Mart -> its node in dbt's manifest."""
    nodes = json.loads(manifest.read_bytes())["nodes"].values()
    return {node["alias"]: node for node in nodes if node["resource_type"] == "model" and node["schema"] == "marts"}


def file_hash(path: Path) -> str:
    """sha256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def flush(path: Path) -> None:
    """Bring a file or a folder to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _name(identifier: str) -> str:
    return '"' + identifier.replace('"', '""') + '"'


def quoted(text: str) -> str:
    """An SQL string."""
    return "'" + text.replace("'", "''") + "'"
