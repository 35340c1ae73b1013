import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface TwoFaced {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * One port for both: connections that begin with a TLS handshake go to one server, all others to the other. With
 * `isSlow`, the first of the others gets no response, as if the server were too slow for it.
 */
export async function startTwoFaced(secure: number, plain: number, isSlow = false): Promise<TwoFaced> {
  const open = new Set<Socket>();
  let slow = isSlow;
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket)).on("error", () => {});
    socket.once("data", (first: Buffer) => {
      const isSecure = first[0] === 0x16;
      if (!isSecure && slow) {
        slow = false;
        return;
      }
      const onward = connect(isSecure ? secure : plain, "127.0.0.1");
      onward.on("error", () => socket.destroy());
      onward.write(first);
      socket.pipe(onward).pipe(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
