import type { Endpoints } from '../endpoints/contract.ts'
import { truncate } from './truncate.ts'

/** The endpoints whose names alerts show; of others they show the ids. */
export type NamedEndpoints = Pick<Endpoints, 'getMany'>

/** Returns the function that names an endpoint by its id. */
export async function findNames(
  endpoints: NamedEndpoints | undefined,
  ids: readonly (string | undefined)[],
): Promise<(id: string) => string> {
  const wanted = [...new Set(ids)].filter((id) => id !== undefined)
  const found = wanted.length === 0 ? [] : ((await endpoints?.getMany(wanted)) ?? [])
  const names = new Map(found.map(({ id, name }) => [id, name]))
  return (id) => truncate(names.get(id) ?? id, 80)
}
