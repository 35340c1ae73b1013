import { relayWith } from "../relay-skill.ts";

export const relay = relayWith(4);
