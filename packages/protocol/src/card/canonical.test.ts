import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../any-character.fixture.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { canonicalJson, signedMembers } from "./canonical.ts";

const fromBits = (hex: string): number => {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${hex}`));
  return view.getFloat64(0);
};

describe("RFC 8785", () => {
  test.each([
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["ffefffffffffffff", "-1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef4f", "999999999999999900000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["41b3de4355555554", "333333333.33333325"],
    ["41b3de4355555555", "333333333.3333333"],
    ["41b3de4355555556", "333333333.3333334"],
    ["41b3de4355555557", "333333333.33333343"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ])("the double %s is written %s (appendix B)", (bits, text) => {
    expect(canonicalJson(fromBits(bits))).toBe(text);
  });

  test.each(["7fffffffffffffff", "7ff0000000000000"])("the double %s has no form", (bits) => {
    expect(() => canonicalJson(fromBits(bits))).toThrow();
  });

  test("literals, numbers and escapes take their one form (§3.2.2)", () => {
    const sample = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`);
    expect(canonicalJson(sample)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  test("members are sorted by UTF-16 code units (§3.2.3)", () => {
    const sample = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis",
    };
    // An object would put the index-like "1" first, so the order is read off the text.
    const order = [...canonicalJson(sample).matchAll(/:"([^"]+)"/g)].map(([, value]) => value);
    expect(order).toEqual([
      "Carriage Return",
      "One",
      "Control",
      "Latin Small Letter O With Diaeresis",
      "Euro Sign",
      "Emoji: Grinning Face",
      "Hebrew Letter Dalet With Dagesh",
    ]);
  });

  test("a lone surrogate has no form", () => {
    expect(() => canonicalJson({ name: "\ud83d" })).toThrow(/surrogate/i);
  });
});

/** The same value with its members in the opposite order, all the way down. */
function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

// Through JSON once, because -0 is no JSON value of its own.
const anyJson = fc.jsonValue({ stringUnit: anyCharacter }).map((value): JsonValue => JSON.parse(JSON.stringify(value)));

test("the canonical form does not depend on the order of members", () => {
  fc.assert(fc.property(anyJson, (value) => canonicalJson(reversed(value)) === canonicalJson(value)));
});

test("the canonical form parses back to the value", () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(value);
    }),
  );
});

describe("the members of a card that are signed (8.4.1)", () => {
  const signed = (card: JsonObject, unknown: "keep" | "drop" = "keep") => signedMembers(card, { unknown });

  test("explicit flags and REQUIRED members stay, other defaults and the signatures go", () => {
    const card = {
      name: "Example",
      description: "",
      capabilities: { streaming: false, pushNotifications: false, extensions: [] },
      skills: [],
      signatures: [],
    };
    expect(canonicalJson(signed(card))).toBe(
      '{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","name":"Example","skills":[]}',
    );
  });

  test("null is the same as not set", () => {
    expect(signed({ name: "n", iconUrl: null, capabilities: { streaming: null } })).toEqual({
      name: "n",
      capabilities: {},
    });
  });

  test("the params of an extension are data and stay as they are", () => {
    const params = { on: false, list: [], text: "", count: 0, none: null };
    const extension = { uri: "https://e.example/v1", description: "", required: false, params };
    expect(signed({ capabilities: { extensions: [extension] } })).toEqual({
      capabilities: { extensions: [{ uri: "https://e.example/v1", params }] },
    });
  });

  test("elements and map entries stay; an empty message is a value", () => {
    const card = {
      defaultInputModes: [""],
      securitySchemes: { tls: { mtlsSecurityScheme: { description: "" } } },
      securityRequirements: [{ schemes: { tls: { list: [] } } }, { schemes: {} }],
    };
    expect(signed(card)).toEqual({
      defaultInputModes: [""],
      securitySchemes: { tls: { mtlsSecurityScheme: {} } },
      securityRequirements: [{ schemes: { tls: {} } }, {}],
    });
  });

  test("unknown members are kept or dropped as asked, at every level", () => {
    const card = { name: "n", url: "", skills: [{ id: "s", security: [] }] };
    expect(signed(card, "keep")).toEqual(card);
    expect(signed(card, "drop")).toEqual({ name: "n", skills: [{ id: "s" }] });
  });
});
