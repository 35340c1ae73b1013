/** A queue of future events, earliest first. */
export class Agenda<T extends { readonly at: number }> {
  readonly #events: T[] = [];

  get size(): number {
    return this.#events.length;
  }

  add(event: T): void {
    const events = this.#events;
    let place = events.push(event) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (events[above]!.at <= event.at) break;
      events[place] = events[above]!;
      place = above;
    }
    events[place] = event;
  }

  next(): T | undefined {
    const events = this.#events;
    const first = events[0];
    const last = events.pop();
    if (events.length === 0 || last === undefined) return first;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= events.length) break;
      if (below + 1 < events.length && events[below + 1]!.at < events[below]!.at) below++;
      if (events[below]!.at >= last.at) break;
      events[place] = events[below]!;
      place = below;
    }
    events[place] = last;
    return first;
  }
}
