import { z } from 'zod'
import type { CommentRow, PostRow } from '../database/tables.ts'
import { belonging, id, identity, createPatchSchema, text, times, idParams } from './fields.ts'
import { afterFilter, defineListQuery, type RouteBinding } from '@sallyport/rest'
import type { Repository } from '../database/repository.ts'
import { requireCaller, type RequestContext } from '../http/context.ts'
import { ownedRows } from './owned-rows.ts'
import { createRoute, listRoute } from './collection.ts'
import { itemRoutes } from './item.ts'

const body = text({ min: 1, max: 2000, example: 'It originates nothing.' })

/** A comment, as the REST API shows it. */
const commentResource = z
  .object({ ...identity, post_id: belonging, author_id: belonging, body, ...times })
  .meta({ id: 'Comment' })

type CommentResource = z.infer<typeof commentResource>

const createCommentBody = z.strictObject({ body }).meta({ id: 'CreateComment' })

const replaceCommentBody = z
  .strictObject({ ...commentResource.partial().shape, body })
  .meta({ id: 'ReplaceComment' })

const patchCommentBody = createPatchSchema(replaceCommentBody).meta({ id: 'PatchComment' })

const commentParams = z.object({ id, comment_id: id })

function toComment(comment: CommentRow): CommentResource {
  const { id, post_id, author_id, body, created_at, updated_at } = comment
  return { id, post_id, author_id, body, created_at, updated_at }
}

const commentQuery = defineListQuery({
  sortable: ['created_at', 'updated_at'],
  defaultSort: '-created_at',
  searchable: 'body',
  filterable: { createdAfter: afterFilter('created_at') },
  fields: Object.keys(commentResource.shape),
})

export function commentRoutes(options: {
  readonly comments: Repository<CommentRow>
  readonly posts: Repository<PostRow>
}): readonly RouteBinding<RequestContext>[] {
  const { comments, posts } = options
  const common = {
    tag: 'comments',
    path: '/posts/{id}/comments',
    params: idParams,
    resource: commentResource,
    show: toComment,
  }
  return [
    listRoute({
      ...common,
      plural: 'comments',
      query: commentQuery,
      async list(key, query) {
        const { id } = await posts.get(key)
        return comments.list(query, { post_id: id })
      },
    }),
    createRoute({
      ...common,
      noun: 'comment',
      description: 'Every logged-in user may do this, and becomes the author.',
      body: createCommentBody,
      example: { body: 'It originates nothing.' },
      errors: ['NOT_FOUND', 'CONFLICT'],
      async create(key, { body }, context, together) {
        const { id } = await posts.get(key)
        return comments.insert({ post_id: id, author_id: requireCaller(context).sub, body }, together)
      },
    }),
    ...itemRoutes({
      ...common,
      noun: 'comment',
      path: '/posts/{id}/comments/{comment_id}',
      params: commentParams,
      replaceBody: replaceCommentBody,
      patchBody: patchCommentBody,
      changedBy: 'Its author and admins may do this.',
      ...ownedRows(comments, {
        toKey: ({ id, comment_id }: z.infer<typeof commentParams>) => ({ post_id: id, id: comment_id }),
        getOwner: ({ author_id }) => author_id,
        readOnly: ['post_id', 'author_id'],
      }),
    }),
  ]
}
