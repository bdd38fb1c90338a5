import {
  afterFilter,
  defineListQuery,
  oneOfFilter,
  type CursorCodec,
  type RouteBinding,
} from '@sallyport/rest'
import type { Repository } from '../database/repository.ts'
import type { PostRow } from '../database/tables.ts'
import { requireCaller, type RequestContext } from '../http/context.ts'
import { getChanges, readOnlyProblems, requireChangeable } from '../resources/changes.ts'
import { createRoute, listRoute } from '../resources/collection.ts'
import { idParams } from '../resources/fields.ts'
import { itemRoutes } from '../resources/item.ts'
import type { Users } from '../users/repository.ts'
import {
  createPostBody,
  patchPostBody,
  postResource,
  postStatuses,
  replacePostBody,
  toPost,
} from './schemas.ts'

const postQuery = defineListQuery({
  sortable: ['created_at', 'updated_at', 'title', 'status'],
  defaultSort: '-created_at',
  searchable: 'title',
  filterable: { status: oneOfFilter(postStatuses), createdAfter: afterFilter('created_at') },
  fields: Object.keys(postResource.shape),
})

export function postRoutes(options: {
  readonly posts: Repository<PostRow>
  readonly users: Users
  readonly cursors: CursorCodec
}): readonly RouteBinding<RequestContext>[] {
  const { posts, users, cursors } = options
  const common = { tag: 'posts', path: '/posts', resource: postResource, show: toPost }
  return [
    listRoute({
      ...common,
      plural: 'posts',
      query: postQuery,
      cursors,
      list: (_, query) => posts.list(query),
    }),
    listRoute({
      ...common,
      plural: 'user posts',
      path: '/users/{id}/posts',
      params: idParams,
      query: postQuery,
      cursors,
      async list(key, query) {
        const { id } = await users.get(key)
        return posts.list(query, { author_id: id })
      },
    }),
    createRoute({
      ...common,
      noun: 'post',
      body: createPostBody,
      example: { title: 'On the engine', body: 'It weaves algebraic patterns.' },
      errors: ['CONFLICT'],
      create: (_, body, context, together) =>
        posts.insert({ ...body, author_id: requireCaller(context).sub }, together),
    }),
    ...itemRoutes({
      ...common,
      noun: 'post',
      path: '/posts/{id}',
      params: idParams,
      replaceBody: replacePostBody,
      patchBody: patchPostBody,
      changedBy: 'By its author and by admins.',
      get: (key) => posts.get(key),
      review: async (key, fields) => readOnlyProblems(await posts.find(key), fields, 'author_id'),
      change: (key, body, context) =>
        posts.change(key, (post) => {
          requireChangeable(context, post, post.author_id)
          return getChanges(post, body, 'author_id')
        }),
      remove: (key, context) =>
        posts.remove(key, (post) => {
          requireChangeable(context, post, post.author_id)
        }),
    }),
  ]
}
