const firstMs = 100;
const mostMs = 10_000;

/** How long to wait before the server is tried for the nth time: twice as long each time, and never quite as long as the others wait. */
export const reconnectPause = (times: number, random: () => number = Math.random): number =>
  Math.round(Math.min(mostMs, firstMs * 2 ** Math.min(times - 1, 10)) * (0.5 + random() / 2));
