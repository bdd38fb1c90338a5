import type { Endpoints } from '@sallyport/webhooks/endpoints'
import { z } from 'zod'

/** The name and the labels of endpoints by id. Deleted endpoints, and those of another source, have none. */
export type EndpointNames = ReadonlyMap<
  string,
  { readonly name: string; readonly labels: Readonly<Record<string, string>> }
>

/** Reads the names of the endpoints on one page, at once. */
export type FindEndpointNames = (ids: readonly (string | undefined)[]) => Promise<EndpointNames>

/** The members of a resource that name its endpoint. */
export const endpointNameShape = {
  endpoint_name: z
    .string()
    .nullable()
    .meta({
      description: 'The name of the endpoint; null without one, and after its deletion.',
      examples: [null],
    }),
  endpoint_labels: z
    .record(z.string(), z.string())
    .meta({ description: 'The labels of the endpoint.', examples: [{}] }),
}

export const noNames: EndpointNames = new Map()

export const createFindNames =
  (endpoints: Pick<Endpoints, 'getMany'> | undefined): FindEndpointNames =>
  async (ids) => {
    const wanted = [...new Set(ids)].filter((id) => id !== undefined)
    if (endpoints === undefined || wanted.length === 0) return noNames
    const found = await endpoints.getMany(wanted)
    return new Map(found.map(({ id, name, labels }) => [id, { name, labels }]))
  }

/** Names the endpoint of a resource. */
export function nameEndpoint(names: EndpointNames, id: string | undefined) {
  const found = id === undefined ? undefined : names.get(id)
  return { endpoint_name: found?.name ?? null, endpoint_labels: { ...found?.labels } }
}
