import { createMasker } from "@assay/wire";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../protocol/src/any-character.fixture.ts";
import { paperScreen } from "../screen.fixture.ts";

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(..."\u001b[]31m;:#\n\r\t \u009b\u202e\u2028\u0007a"), maxLength: 40 }),
  fc.constantFrom(
    "\u001b[31mred",
    "::error::x",
    "  ::set-output",
    "##[error]",
    "##vso[x]",
    "a\n::error::b",
    "\u001b]0;t\u0007",
  ),
);
const dangerous =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|^\s*::|##\[|##vso\[/im;

describe("whatever a command hands to the screen", () => {
  test("a line stays one line, and is obeyed by nothing", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const screen = paperScreen({ isColored: true });
        screen.line(text);
        expect(screen.out()).toMatch(/^[^\n]*\n$/);
        expect(screen.out()).not.toMatch(dangerous);
      }),
    );
  });

  test("documents and complaints keep their lines, and nothing else", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const screen = paperScreen({ isColored: true });
        screen.write(text);
        screen.complain(text);
        screen.aside().line(text);
        // Each by itself: "[##" in the one and again in the other is no command in either.
        for (const stream of [screen.out(), screen.err()]) expect(stream).not.toMatch(dangerous);
      }),
      { examples: [["[##"]] },
    );
  });

  test("commands to a build server go out as they are, but for secrets and what cannot be seen", () => {
    const screen = paperScreen();
    screen.hideBy(createMasker([{ name: "bearer", value: "hunter2-hunter2" }]));
    screen.commands("::error title=A2A::hunter2-hunter2 \u001b[31m##[error]\n");
    expect(screen.out()).toBe("::error title=A2A::«secret:bearer» \\u001b[31m#\\u0023[error]\n");
  });

  test("JSON says the same as before", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const screen = paperScreen();
        screen.json({ [text]: [text] }, 2);
        expect(screen.out()).not.toMatch(dangerous);
        expect(JSON.parse(screen.out())).toEqual({ [text]: [text] });
      }),
    );
  });
});

test("the screen applies Assay's colours and escapes those of an agent", () => {
  const screen = paperScreen({ isColored: true });
  screen.line(`${screen.colors.red("✗")} \u001b[32mfine\u001b[39m`);
  expect(screen.out()).toBe("\u001b[31m✗\u001b[39m \\u001b[32mfine\\u001b[39m\n");
});

describe("a secret that is hidden", () => {
  const secret = "hunter2-hunter2";
  const masker = createMasker([{ name: "bearer", value: secret }]);
  test("is masked wherever something is said", () => {
    const screen = paperScreen();
    screen.hideBy(masker);
    screen.line(`line ${secret}`);
    screen.json({ [secret]: { deep: [Buffer.from(secret).toString("base64")] } });
    screen.complain(`complaint ${encodeURIComponent(secret)}`);
    screen.aside().line(`aside ${secret.toUpperCase()}`);
    expect(screen.out()).toBe('line «secret:bearer»\n{"«secret:bearer»":{"deep":["«secret:bearer»"]}}\n');
    expect(screen.err()).toBe("complaint «secret:bearer»\naside «secret:bearer»\n");
  });

  test("is hidden by its aside as well", () => {
    const screen = paperScreen();
    screen.aside().hideBy(masker);
    screen.line(secret);
    expect(screen.out()).toBe("«secret:bearer»\n");
  });
});
