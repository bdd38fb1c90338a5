import type { ListFilter } from '@sallyport/rest'
import { z } from 'zod'

type ListFilters = Readonly<Record<string, ListFilter>>

/** The values of the given filters by their names. */
type FilterValues<F extends ListFilters> = {
  readonly [Name in keyof F]?: F[Name] extends ListFilter<infer Value> ? Value : never
}

const after = z.string().min(1).max(2048).optional().meta({
  description:
    'The id of an event of this stream: the stream continues after it. The header Last-Event-ID takes precedence. Without both, the stream starts with new items.',
})

/** Creates the schema of the query of a stream: `after`, and the filters of a list. */
export function createStreamQuery<const F extends ListFilters>(filters: F) {
  const fields = Object.fromEntries(Object.entries(filters).map(([name, filter]) => [name, toField(filter)]))
  // The general type of the fields has no names.
  return z.strictObject({ after, ...fields }) as unknown as z.ZodType<
    FilterValues<F> & { readonly after?: string },
    Readonly<Record<string, string>>
  >
}

function toField(filter: ListFilter) {
  return z
    .string()
    .transform((text, context) => {
      const result = filter.read(text)
      if ('value' in result) return result.value
      context.addIssue({ code: 'custom', message: result.problem, params: { code: result.code } })
      return z.NEVER
    })
    .optional()
    .meta({ ...filter.schema, ...(filter.description !== undefined && { description: filter.description }) })
}
