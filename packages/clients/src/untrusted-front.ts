import { type AddressInfo, connect, type Socket } from "node:net";
import { createServer } from "node:tls";
import { selfSigned } from "./self-signed.ts";

/** A TLS proxy for an agent, with a certificate that no client should trust. */
export interface UntrustedFront {
  readonly url: string;
  /** how often a client saw the certificate and disconnected without sending anything */
  readonly distrusted: () => number;
  close(): Promise<void>;
}

/** Maximum bytes sent without a certificate: an alert. */
const withoutCertificate = 300;

export async function openUntrustedFront(port: number): Promise<UntrustedFront> {
  let distrusted = 0;
  const sockets = new Set<Socket>();
  /** ports of clients that sent data */
  const spoken = new Set<number>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  };
  const server = createServer(selfSigned(), (socket) => {
    const onward = connect(port, "127.0.0.1");
    keep(socket);
    keep(onward);
    socket.once("data", () => spoken.add(socket.remotePort!)).once("close", () => onward.destroy());
    onward.once("close", () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  // Some clients end the handshake with an alert, others verify after it or just disconnect. All of them send no data.
  server.on("connection", (socket: Socket) => {
    const from = socket.remotePort!;
    keep(socket);
    socket.once("close", () => {
      if (!spoken.delete(from) && socket.bytesWritten > withoutCertificate) distrusted += 1;
    });
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has an address of this type.
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${own}`,
    distrusted: () => distrusted,
    // Waits for clients that are about to disconnect, to count them.
    async close() {
      server.close();
      const gone = [...sockets].map((socket) => new Promise((resolve) => socket.once("close", resolve)));
      for (const socket of sockets) socket.destroy();
      await Promise.all(gone);
    },
  };
}
