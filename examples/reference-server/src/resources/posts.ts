import { afterFilter, defineListQuery, oneOfFilter } from '@sallyport/rest'
import {
  belonging,
  createBodies,
  identity,
  idParams,
  listRoutes,
  ownedRows,
  requireCaller,
  resourceRoutes,
  textField,
  times,
} from '@sallyport/sql/resources'
import type { Users } from '@sallyport/sql/accounts'
import { z } from 'zod'
import type { PostRow, Rows } from '../database/tables.ts'
import { apiPath } from '../http/path.ts'

const title = textField({ min: 1, max: 200, example: 'On the engine' })
const body = textField({ min: 1, max: 3000, example: 'It weaves algebraic patterns.' })
const statuses = ['published', 'archived'] as const
const status = z.enum(statuses)

/** A post, as the REST API shows it. */
const resource = z
  .object({ ...identity, author_id: belonging, title, body, status, ...times })
  .meta({ id: 'Post' })

const bodies = createBodies('Post', resource, {
  required: { title, body },
  cleared: {},
  initial: { status: status.default('published') },
})

const query = defineListQuery({
  sortable: ['created_at', 'updated_at', 'title', 'status'],
  defaultSort: '-created_at',
  searchable: 'title',
  filterable: { status: oneOfFilter(statuses), createdAfter: afterFilter('created_at') },
  fields: Object.keys(resource.shape),
})

export function postRoutes({ posts, users }: { readonly posts: Rows<PostRow>; readonly users: Users }) {
  const common = { tag: 'posts', resource, query, mountPath: apiPath }
  return [
    ...resourceRoutes({
      ...common,
      noun: 'post',
      path: '/posts',
      list: (_, query) => posts.list(query),
      create: {
        description: 'Every logged-in user may do this, and becomes the author.',
        body: bodies.create,
        example: { title: 'On the engine', body: 'It weaves algebraic patterns.' },
        errors: ['CONFLICT'],
        run: ({ body }, context, together) =>
          posts.insert({ ...body, author_id: requireCaller(context).sub }, together),
      },
      item: {
        path: '/posts/{id}',
        params: idParams,
        bodies,
        changedBy: 'Its author and admins may do this.',
        ...ownedRows(posts, {
          toKey: (key: z.infer<typeof idParams>) => key,
          getOwner: ({ author_id }) => author_id,
          readOnly: ['author_id'],
        }),
      },
    }),
    ...listRoutes({
      ...common,
      noun: 'user post',
      path: '/users/{id}/posts',
      params: idParams,
      async list(key, query) {
        const { id } = await users.get(key)
        return posts.list(query, { author_id: id })
      },
    }),
  ]
}
