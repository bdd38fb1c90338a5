import { booleanFilter, integerFilter, oneOfFilter, textFilter } from './filters.ts'
import { schemaFilter } from './schema-filter.ts'
import { afterFilter, beforeFilter } from './time-filters.ts'

/** Creates the filters of a list query. */
export const listFilter = {
  after: afterFilter,
  before: beforeFilter,
  boolean: booleanFilter,
  integer: integerFilter,
  oneOf: oneOfFilter,
  schema: schemaFilter,
  text: textFilter,
}
