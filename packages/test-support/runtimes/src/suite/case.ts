/** A test case of one package. */
export interface Case {
  /** The package or one of its entries. */
  readonly area: string
  readonly name: string
  /** Throws if the runtime fails the case. */
  readonly run: () => unknown
}

/** Defines the cases of one area from named functions. */
export const defineCases = (area: string, named: Readonly<Record<string, () => unknown>>): readonly Case[] =>
  Object.entries(named).map(([name, run]) => ({ area, name, run }))

/** @throws Error with both values as JSON if they differ */
export function expectEqual(actual: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (one !== other) throw new Error(`${one} instead of ${other}`)
}

/** @throws Error if the action throws nothing or an error with another code */
export async function expectError(code: string, action: () => unknown): Promise<void> {
  let thrown: unknown
  try {
    await action()
  } catch (error) {
    thrown = error
  }
  if (thrown === undefined) throw new Error(`Expected an error with the code ${code}`)
  if ((thrown as { code?: unknown }).code !== code) throw new Error(`Not ${code}`, { cause: thrown })
}
