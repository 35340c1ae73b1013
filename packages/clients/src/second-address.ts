import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A second address of the same server, which a client sees as another host. */
export interface SecondAddress {
  readonly url: string;
  /** Forwards connections to this local port. Until then they are closed. */
  leadTo(port: number): void;
  close(): Promise<void>;
}

export async function openSecondAddress(): Promise<SecondAddress> {
  let onwardPort: number | undefined;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  };
  const server = createServer((socket) => {
    keep(socket);
    if (onwardPort === undefined) return void socket.destroy();
    const onward = connect(onwardPort, "127.0.0.1");
    keep(onward);
    socket.once("close", () => onward.destroy());
    onward.once("close", () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has an address of this type.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    leadTo(onward) {
      onwardPort = onward;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
