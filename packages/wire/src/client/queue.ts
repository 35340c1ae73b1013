/** Passes items from a callback to a `for await` loop, in order and without loss. */
export interface ItemQueue<T> extends AsyncIterable<T> {
  push(item: T): void;
  end(): void;
}

/** `onLeave` is called if the reader leaves its loop before the end. */
export function createQueue<T>(onLeave: () => void): ItemQueue<T> {
  const items: T[] = [];
  let ended = false;
  let wake = (): void => {};

  async function* read(): AsyncGenerator<T, void, undefined> {
    try {
      while (true) {
        const item = items.shift();
        if (item !== undefined) yield item;
        else if (ended) return;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      if (!ended) onLeave();
    }
  }

  return {
    push(item) {
      items.push(item);
      wake();
    },
    end() {
      ended = true;
      wake();
    },
    [Symbol.asyncIterator]: read,
  };
}
