"""Where a visit looks: an environment, a folder to stand in, a state folder, a platform."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.install import client
from flightdeck.install.target import Target

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flightdeck.install.client import Client
    from flightdeck.store.paths import StateFolder


@dataclass(frozen=True)
class Machine:
    """What the parts are asked about.

    `cwd` is the project whose own settings count; `platform` as `sys.platform`; `root` is
    where the machine's own files begin.
    """

    environ: Mapping[str, str]
    cwd: Path
    folder: StateFolder
    platform: str
    root: Path = Path("/")

    @cached_property
    def client(self) -> Client | None:
        """The client a person would start, asked for its version once."""
        return client.find_client(self.environ)

    @property
    def reachable(self) -> bool:
        """Whether this user may use the state folder, or may make it."""
        root = self.folder.root
        try:
            os.lstat(root)
        except FileNotFoundError:
            return True
        except OSError:
            return False
        return os.access(root, os.R_OK | os.W_OK | os.X_OK)

    @property
    def settings(self) -> Target:
        """The user's settings file."""
        return Target(client.config_folder(self.environ))
