import type { AgentAccess, Login } from "../documents/runs.ts";

const kinds: Readonly<Record<Login["kind"] | "none", string>> = {
  none: "no login",
  bearer: "Bearer token",
  "api-key": "API key",
  basic: "user and password",
  "oauth-client": "OAuth2 client credentials",
};

/** Describes the login: "no login", "Bearer token", "API key, 2 headers". */
export function loginWord({ login, headers = [] }: AgentAccess): string {
  const more = headers.length ? [`${headers.length} ${headers.length === 1 ? "header" : "headers"}`] : [];
  return [...(login || !more.length ? [kinds[login?.kind ?? "none"]] : []), ...more].join(", ");
}

const empty: Readonly<Record<Login["kind"], Login>> = {
  bearer: { kind: "bearer", token: "" },
  "api-key": { kind: "api-key", name: "X-API-Key", key: "" },
  basic: { kind: "basic", user: "", password: "" },
  "oauth-client": { kind: "oauth-client", client: "", secret: "", tokenUrl: "" },
};

interface Field {
  readonly member: string;
  readonly label: string;
  readonly isSecret?: true;
  readonly isOptional?: true;
}

const fields: Readonly<Record<Login["kind"], readonly Field[]>> = {
  bearer: [{ member: "token", label: "Token", isSecret: true }],
  "api-key": [
    { member: "name", label: "Header" },
    { member: "key", label: "Key", isSecret: true },
  ],
  basic: [
    { member: "user", label: "User" },
    { member: "password", label: "Password", isSecret: true },
  ],
  "oauth-client": [
    { member: "client", label: "Client id" },
    { member: "secret", label: "Secret", isSecret: true },
    { member: "tokenUrl", label: "Token URL" },
    { member: "scope", label: "Scope", isOptional: true },
  ],
};

interface LoginFormProps {
  readonly access: AgentAccess;
  readonly onChange: (access: AgentAccess) => void;
}

/** The form for the credentials that Assay sends to the agent. */
export function LoginForm({ access, onChange }: LoginFormProps) {
  const { login, headers = [], url } = access;
  const change = (next: Login | undefined, more = headers): void =>
    onChange({ url, ...(next && { login: next }), ...(more.length && { headers: more }) });
  const changeHeader = (index: number, header: { readonly name: string; readonly value: string }): void =>
    change(login, headers.with(index, header));
  return (
    <fieldset id="login" class="login">
      <legend class="away">Login</legend>
      <label>
        Login
        <select
          value={login?.kind ?? "none"}
          onChange={({ currentTarget: { value } }) =>
            change(value === "none" ? undefined : empty[value as Login["kind"]])
          }
        >
          {Object.entries(kinds).map(([kind, name]) => (
            <option value={kind}>{name}</option>
          ))}
        </select>
      </label>
      {login &&
        fields[login.kind].map(({ member, label, isSecret, isOptional }) => (
          <label key={`${login.kind} ${member}`}>
            {label}
            <input
              {...(isSecret ? { type: "password" as const } : { type: "text" as const })}
              autocomplete="off"
              spellcheck={false}
              placeholder={isOptional ? "if the server requires one" : ""}
              value={(login as unknown as Record<string, string>)[member] ?? ""}
              onInput={({ currentTarget }) => change({ ...login, [member]: currentTarget.value })}
            />
          </label>
        ))}
      {headers.map(({ name, value }, index) => (
        <div class="header-line" key={index}>
          <label>
            Header
            <input
              type="text"
              autocomplete="off"
              spellcheck={false}
              value={name}
              onInput={({ currentTarget }) => changeHeader(index, { name: currentTarget.value, value })}
            />
          </label>
          <label>
            Value
            <input
              type="password"
              autocomplete="off"
              value={value}
              onInput={({ currentTarget }) => changeHeader(index, { name, value: currentTarget.value })}
            />
          </label>
          <button type="button" onClick={() => change(login, headers.toSpliced(index, 1))}>
            remove
          </button>
        </div>
      ))}
      <button type="button" onClick={() => change(login, [...headers, { name: "", value: "" }])}>
        add a header
      </button>
      <p class="hint">
        This page keeps the credentials in memory until you reload it. Assay sends them only to this address and masks
        them in everything it writes.
      </p>
    </fieldset>
  );
}
