import { afterFilter, defineListQuery, type CursorCodec, type RouteBinding } from '@sallyport/rest'
import type { z } from 'zod'
import type { Repository } from '../database/repository.ts'
import type { CommentRow, PostRow } from '../database/tables.ts'
import { requireCaller, type RequestContext } from '../http/context.ts'
import { getChanges, readOnlyProblems, requireChangeable } from '../resources/changes.ts'
import { createRoute, listRoute } from '../resources/collection.ts'
import { idParams } from '../resources/fields.ts'
import { itemRoutes } from '../resources/item.ts'
import {
  commentParams,
  commentResource,
  createCommentBody,
  patchCommentBody,
  replaceCommentBody,
  toComment,
} from './schemas.ts'

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
  readonly cursors: CursorCodec
}): readonly RouteBinding<RequestContext>[] {
  const { comments, posts, cursors } = options
  const common = {
    tag: 'comments',
    path: '/posts/{id}/comments',
    params: idParams,
    resource: commentResource,
    show: toComment,
  }
  const keyOf = ({ id, comment_id }: z.infer<typeof commentParams>) => ({ post_id: id, id: comment_id })
  return [
    listRoute({
      ...common,
      plural: 'comments',
      query: commentQuery,
      cursors,
      async list(key, query) {
        const { id } = await posts.get(key)
        return comments.list(query, { post_id: id })
      },
    }),
    createRoute({
      ...common,
      noun: 'comment',
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
      changedBy: 'By its author and by admins.',
      get: (params) => comments.get(keyOf(params)),
      review: async (params, fields) =>
        readOnlyProblems(await comments.find(keyOf(params)), fields, 'post_id', 'author_id'),
      change: (params, body, context) =>
        comments.change(keyOf(params), (comment) => {
          requireChangeable(context, comment, comment.author_id)
          return getChanges(comment, body, 'post_id', 'author_id')
        }),
      remove: (params, context) =>
        comments.remove(keyOf(params), (comment) => {
          requireChangeable(context, comment, comment.author_id)
        }),
    }),
  ]
}
