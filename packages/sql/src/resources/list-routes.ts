import { answerList, createRouteGroup, type ListQuery, type RouteBinding } from '@sallyport/rest'
import type { StoredRow } from '../rows/stored-row.ts'
import type { CollectionOptions, ResourceCaller, ResourceContext } from './options.ts'
import { capitalize, createShow, typed } from './route-parts.ts'

const route = createRouteGroup<ResourceCaller>({ etag: true })

/** Creates the GET route of a collection, such as the posts of a user. */
export function listRoutes<Params extends object, Row extends StoredRow>(
  options: CollectionOptions<Params, Row>,
): readonly RouteBinding<ResourceContext>[] {
  const { noun, params, resource } = options
  const plural = `${noun}s`
  return [
    route.get(
      options.path,
      {
        operationId: `list${plural.split(' ').map(capitalize).join('')}`,
        summary: `List ${plural}`,
        description: 'Every logged-in user may do this. The newest come first unless `sort` says otherwise.',
        tags: [options.tag],
        ...(params && { params }),
        query: options.query,
        responses: { 200: { description: `A page of ${plural}`, list: resource } },
        // For the concurrency limit of searches.
        errors: params === undefined ? ['OVERLOADED'] : ['NOT_FOUND', 'OVERLOADED'],
      },
      typed(({ params, query }: { params: Params; query: ListQuery }, context: ResourceContext) =>
        answerList(query, context, (list) => options.list(params, list), { map: createShow(resource) }),
      ),
    ),
  ]
}
