import { InMemoryTaskStore } from "@a2a-js/sdk/server";
import { serveSdk } from "./sdk-agent.ts";

serveSdk(new InMemoryTaskStore());
