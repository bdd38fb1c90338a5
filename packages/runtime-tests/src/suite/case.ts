/** One behaviour of a package. */
export interface Case {
  /** The package, or the entry of one. */
  readonly area: string
  readonly name: string
  /** Throws where the runtime does not show the behaviour. */
  readonly run: () => unknown
}

/** Makes the cases of one area from functions by their names. */
export const casesOf = (area: string, named: Readonly<Record<string, () => unknown>>): readonly Case[] =>
  Object.entries(named).map(([name, run]) => ({ area, name, run }))

/** @throws Error that shows both, as JSON, when they differ */
export function equal(actual: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (one !== other) throw new Error(`${one} instead of ${other}`)
}

/** @throws Error when nothing was thrown, or an error of another code */
export async function refused(code: string, action: () => unknown): Promise<void> {
  let thrown: unknown
  try {
    await action()
  } catch (error) {
    thrown = error
  }
  if (thrown === undefined) throw new Error(`Nothing was thrown instead of ${code}`)
  if ((thrown as { code?: unknown }).code !== code) throw new Error(`Not ${code}`, { cause: thrown })
}
