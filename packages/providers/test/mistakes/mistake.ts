/** The files of a service by name, such as `acme.ts`. */
export type Files = Map<string, string>

/** A mistake that a contributor can make in the files of a new service. */
export interface Mistake {
  readonly title: string
  /** Makes the mistake in the correct files. */
  readonly make: (files: Files) => void
  /** What a message must say. */
  readonly message: RegExp
}

/** Replaces a text that the file has. */
function replace(file: string, from: string | RegExp, to: string): Mistake['make'] {
  return (files) => {
    const text = files.get(file) ?? ''
    const changed = text.replace(from, to)
    if (changed === text) throw new TypeError(`${file} has no ${String(from)}`)
    files.set(file, changed)
  }
}

export const inService = (from: string | RegExp, to: string) => replace('acme.ts', from, to)
export const inSamples = (from: string | RegExp, to: string) => replace('acme.samples.json', from, to)
export const inTest = (from: string | RegExp, to: string) => replace('acme.test.ts', from, to)
