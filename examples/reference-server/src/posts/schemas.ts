import { z } from 'zod'
import type { PostRow } from '../database/tables.ts'
import { belonging, identity, createPatchSchema, text, times } from '../resources/fields.ts'

const title = text({ min: 1, max: 200, example: 'On the engine' })
const body = text({ min: 1, max: 3000, example: 'It weaves algebraic patterns.' })

export const postStatuses = ['published', 'archived'] as const
const status = z.enum(postStatuses)

/** A post, as the REST API shows it. */
export const postResource = z
  .object({ ...identity, author_id: belonging, title, body, status, ...times })
  .meta({ id: 'Post' })

export type PostResource = z.infer<typeof postResource>

export const createPostBody = z
  .strictObject({ title, body, status: status.default('published') })
  .meta({ id: 'CreatePost' })

export const replacePostBody = z
  .strictObject({ ...postResource.partial().shape, title, body })
  .meta({ id: 'ReplacePost' })

export const patchPostBody = createPatchSchema(replacePostBody).meta({ id: 'PatchPost' })

export function toPost({
  id,
  author_id,
  title,
  body,
  status,
  created_at,
  updated_at,
}: PostRow): PostResource {
  return { id, author_id, title, body, status, created_at, updated_at }
}
