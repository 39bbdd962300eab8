"""`amparser serve`: serve a local web page."""

from __future__ import annotations

from typing import Annotated

from amparser.cli.options import Device, DeviceOption, LogOption, option


def serve(
    model: Annotated[list[str] | None, option("--model -m DIR")] = None,
    host: Annotated[str, option("--host ADDRESS")] = "127.0.0.1",
    port: Annotated[int, option("--port", min=0, max=65535)] = 8000,
    timeout: Annotated[float, option("--timeout SECONDS", min=0.1)] = 30.0,
    device: DeviceOption = Device.AUTO,
    log: LogOption = None,
) -> None:
    """Serve a local web page to parse sentences and see pictures.

    One thread answers costly requests, another one all others. The server writes no file except
    --log and contacts no other host. Only this machine can reach the page unless --host says
    otherwise. Press Ctrl+C to stop.

    Args:
        model: Model folder; repeatable (default: all packaged models).
        host: Address to listen on.
        port: Port to listen on; 0 takes a free one.
        timeout: Time limit of an answer, including the time in the queue.
    """
    from amparser.serve.application import create_app
    from amparser.serve.requests import Limits, Requests
    from amparser.serve.server import allowed_hosts, open_socket, serve as run
    from amparser.serve.service import Service

    service = Service(tuple(model or ()), device.value, log)
    with open_socket(host, port) as listening:
        service.wait()
        app = create_app(Requests(service, Limits(seconds=timeout)), hosts=allowed_hosts(host))
        bound = listening.getsockname()[1]
        url_host = f"[{host}]" if ":" in host else host
        run(app, listening, lambda: print(f"http://{url_host}:{bound}/", flush=True))
