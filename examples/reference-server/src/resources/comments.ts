import { afterFilter, defineListQuery } from '@sallyport/rest'
import {
  belonging,
  createBodies,
  id,
  identity,
  idParams,
  ownedRows,
  requireCaller,
  resourceRoutes,
  textField,
  times,
} from '@sallyport/sql/resources'
import { z } from 'zod'
import type { CommentRow, PostRow, Rows } from '../database/tables.ts'
import { apiPath } from '../http/path.ts'

const body = textField({ min: 1, max: 2000, example: 'It originates nothing.' })

/** A comment, as the REST API shows it. */
const resource = z
  .object({ ...identity, post_id: belonging, author_id: belonging, body, ...times })
  .meta({ id: 'Comment' })

const bodies = createBodies('Comment', resource, { required: { body }, cleared: {}, initial: {} })

const query = defineListQuery({
  sortable: ['created_at', 'updated_at'],
  defaultSort: '-created_at',
  searchable: 'body',
  filterable: { createdAfter: afterFilter('created_at') },
  fields: Object.keys(resource.shape),
})

const params = z.object({ id, comment_id: id })

export function commentRoutes({
  comments,
  posts,
}: {
  readonly comments: Rows<CommentRow>
  readonly posts: Rows<PostRow>
}) {
  return resourceRoutes({
    tag: 'comments',
    noun: 'comment',
    path: '/posts/{id}/comments',
    params: idParams,
    resource,
    query,
    mountPath: apiPath,
    async list(key, query) {
      const { id } = await posts.get(key)
      return comments.list(query, { post_id: id })
    },
    create: {
      description: 'Every logged-in user may do this, and becomes the author.',
      body: bodies.create,
      example: { body: 'It originates nothing.' },
      errors: ['NOT_FOUND', 'CONFLICT'],
      async run({ params, body }, context, together) {
        const { id } = await posts.get(params)
        return comments.insert({ ...body, post_id: id, author_id: requireCaller(context).sub }, together)
      },
    },
    item: {
      path: '/posts/{id}/comments/{comment_id}',
      params,
      bodies,
      changedBy: 'Its author and admins may do this.',
      ...ownedRows(comments, {
        toKey: ({ id, comment_id }: z.infer<typeof params>) => ({ post_id: id, id: comment_id }),
        getOwner: ({ author_id }) => author_id,
        readOnly: ['post_id', 'author_id'],
      }),
    },
  })
}
