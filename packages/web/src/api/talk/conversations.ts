import { randomUUID } from "node:crypto";
import { cardTrouble, discoverCard, readFoundCard } from "@assay/wire";
import { ApiError } from "../../server/api-error.ts";
import { type AgentWay, openWay } from "./agent-way.ts";
import { Conversation } from "./conversation.ts";
import { refusedHint } from "./refused-hint.ts";

/** The maximum number of open conversations. A new one closes the oldest. */
const most = 16;

/** The conversations of this server. Assay keeps them only in memory. */
export class Conversations {
  readonly #open = new Map<string, Conversation>();

  async begin(way: AgentWay): Promise<Conversation> {
    const opened = openWay(way);
    const { clients, headers, masker, url } = opened;
    try {
      const search = await discoverCard(clients.http, url.href, headers);
      if (!search.found) throw unfound(masker.value(cardTrouble(url.href, search)));
      const normal = await readFoundCard(clients.http, search.found, headers);
      const conversation = new Conversation(randomUUID(), opened, search.found, normal);
      this.#open.set(conversation.document.id, conversation);
      await this.#makeRoom();
      return conversation;
    } catch (error) {
      await clients.close();
      throw error;
    }
  }

  get(id: string): Conversation {
    const conversation = this.#open.get(id);
    if (!conversation)
      throw new ApiError(404, "This conversation is over.", "Conversations end when assay ui stops. Start a new one.");
    return conversation;
  }

  async end(id: string): Promise<void> {
    const conversation = this.get(id);
    this.#open.delete(id);
    await conversation.close();
  }

  async close(): Promise<void> {
    for (const id of [...this.#open.keys()]) await this.end(id);
  }

  async #makeRoom(): Promise<void> {
    const [oldest] = this.#open.keys();
    if (this.#open.size > most) await this.end(oldest!);
  }
}

/**
 * Converts a card problem to an error of the page. Some hints of the command line name flags, so the page has its own.
 */
function unfound({ kind, message, hint }: ReturnType<typeof cardTrouble>): ApiError {
  if (kind === "login" || kind === "payment") return new ApiError(422, message, "Choose a login next to the address.");
  return new ApiError(422, message, kind === "refused" ? refusedHint : hint);
}
