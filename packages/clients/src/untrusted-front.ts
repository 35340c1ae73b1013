import { type AddressInfo, connect, type Socket } from "node:net";
import { createServer } from "node:tls";
import { selfSigned } from "./self-signed.ts";

/** TLS before an agent, with a certificate that no client has a reason to trust. */
export interface UntrustedFront {
  readonly url: string;
  /** how often a client came, was shown the certificate, and left without a word */
  readonly distrusted: () => number;
  close(): Promise<void>;
}

/** What goes out before a certificate is among it: an alert, at most. */
const withoutCertificate = 300;

export async function openUntrustedFront(port: number): Promise<UntrustedFront> {
  let distrusted = 0;
  const sockets = new Set<Socket>();
  /** the ports of clients that said something */
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
  // Some end the handshake with an alert, others verify when it is over, or just hang up: what they have in common is this.
  server.on("connection", (socket: Socket) => {
    const from = socket.remotePort!;
    keep(socket);
    socket.once("close", () => {
      if (!spoken.delete(from) && socket.bytesWritten > withoutCertificate) distrusted += 1;
    });
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server that listens has an address of this kind.
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${own}`,
    distrusted: () => distrusted,
    // Who is about to leave is waited for, and counted.
    async close() {
      server.close();
      const gone = [...sockets].map((socket) => new Promise((resolve) => socket.once("close", resolve)));
      for (const socket of sockets) socket.destroy();
      await Promise.all(gone);
    },
  };
}
