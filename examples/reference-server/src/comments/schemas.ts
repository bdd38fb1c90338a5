import { z } from 'zod'
import type { CommentRow } from '../database/tables.ts'
import { belonging, id, identity, createPatchSchema, text, times } from '../resources/fields.ts'

const body = text({ min: 1, max: 2000, example: 'It originates nothing.' })

/** A comment, as the REST API shows it. */
export const commentResource = z
  .object({ ...identity, post_id: belonging, author_id: belonging, body, ...times })
  .meta({ id: 'Comment' })

export type CommentResource = z.infer<typeof commentResource>

export const createCommentBody = z.strictObject({ body }).meta({ id: 'CreateComment' })

export const replaceCommentBody = z
  .strictObject({ ...commentResource.partial().shape, body })
  .meta({ id: 'ReplaceComment' })

export const patchCommentBody = createPatchSchema(replaceCommentBody).meta({ id: 'PatchComment' })

export const commentParams = z.object({ id, comment_id: id })

export function toComment(comment: CommentRow): CommentResource {
  const { id, post_id, author_id, body, created_at, updated_at } = comment
  return { id, post_id, author_id, body, created_at, updated_at }
}
