import { z } from 'zod'
import type { PostRow } from '../database/tables.ts'
import { belonging, identity, createPatchSchema, text, times, idParams } from './fields.ts'
import { afterFilter, defineListQuery, oneOfFilter, type RouteBinding } from '@sallyport/rest'
import type { Repository } from '../database/repository.ts'
import { requireCaller, type RequestContext } from '../http/context.ts'
import { ownedRows } from './owned-rows.ts'
import { createRoute, listRoute } from './collection.ts'
import { itemRoutes } from './item.ts'
import type { Users } from '../users/repository.ts'

const title = text({ min: 1, max: 200, example: 'On the engine' })
const body = text({ min: 1, max: 3000, example: 'It weaves algebraic patterns.' })

const postStatuses = ['published', 'archived'] as const
const status = z.enum(postStatuses)

/** A post, as the REST API shows it. */
const postResource = z
  .object({ ...identity, author_id: belonging, title, body, status, ...times })
  .meta({ id: 'Post' })

type PostResource = z.infer<typeof postResource>

const createPostBody = z
  .strictObject({ title, body, status: status.default('published') })
  .meta({ id: 'CreatePost' })

const replacePostBody = z
  .strictObject({ ...postResource.partial().shape, title, body })
  .meta({ id: 'ReplacePost' })

const patchPostBody = createPatchSchema(replacePostBody).meta({ id: 'PatchPost' })

function toPost({ id, author_id, title, body, status, created_at, updated_at }: PostRow): PostResource {
  return { id, author_id, title, body, status, created_at, updated_at }
}

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
}): readonly RouteBinding<RequestContext>[] {
  const { posts, users } = options
  const common = { tag: 'posts', path: '/posts', resource: postResource, show: toPost }
  return [
    listRoute({
      ...common,
      plural: 'posts',
      query: postQuery,
      list: (_, query) => posts.list(query),
    }),
    listRoute({
      ...common,
      plural: 'user posts',
      path: '/users/{id}/posts',
      params: idParams,
      query: postQuery,
      async list(key, query) {
        const { id } = await users.get(key)
        return posts.list(query, { author_id: id })
      },
    }),
    createRoute({
      ...common,
      noun: 'post',
      description: 'Every logged-in user may do this, and becomes the author.',
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
      changedBy: 'Its author and admins may do this.',
      ...ownedRows(posts, {
        toKey: (key: z.infer<typeof idParams>) => key,
        getOwner: ({ author_id }) => author_id,
        readOnly: ['author_id'],
      }),
    }),
  ]
}
