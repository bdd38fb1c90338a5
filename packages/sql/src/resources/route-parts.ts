import type { z } from 'zod'

/** Types the parts of a request, which the schemas of the route produce. */
export const typed =
  <Context, Result>(handler: (request: never, context: Context) => Promise<Result>) =>
  (request: unknown, context: Context): Promise<Result> =>
    handler(request as never, context)

export const capitalize = (noun: string): string => noun.charAt(0).toUpperCase() + noun.slice(1)

/** Creates the function that returns the columns of a row that a schema names. */
export function createShow({ shape }: z.ZodObject): (row: object) => Record<string, unknown> {
  const names = Object.keys(shape)
  return (row) => {
    const columns = row as Readonly<Record<string, unknown>>
    return Object.fromEntries(names.map((name) => [name, columns[name]]))
  }
}
