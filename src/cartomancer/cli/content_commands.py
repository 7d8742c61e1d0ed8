"""Commands about content files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cartomancer.cli import output
from cartomancer.cli.arguments import AsJson, one_map
from cartomancer.errors import Fault

content_app = typer.Typer(no_args_is_help=True, help="Check content: presets and the catalog.")


@content_app.command()
def check(
    files: Annotated[
        list[Path] | None, typer.Argument(help="Preset files to check; without any, all shipped content.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check content files and report every fault at once. Exit code 1 if there are any."""
    one_map()
    output.speak_json(as_json)
    from cartomancer.content.check import check_everything, check_files

    checked, faults = check_files(files) if files else check_everything()
    _report(checked, faults, as_json)


def _report(checked: list[str], faults: list[Fault], as_json: bool) -> None:
    if as_json:
        output.print_json({"ok": not faults, "checked": checked, "faults": [fault.as_dict() for fault in faults]})
    else:
        console = output.stdout()
        for fault in faults:
            console.print(f"✗ {fault}", markup=False)
        console.print(f"checked: {len(checked)}, faults: {len(faults)}")
    raise typer.Exit(output.BAD if faults else output.OK)
