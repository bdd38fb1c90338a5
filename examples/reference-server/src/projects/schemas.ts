import { z } from 'zod'
import type { ProjectRow } from '../database/tables.ts'
import { belonging, identity, createPatchSchema, text, times } from '../resources/fields.ts'

const name = text({ min: 1, max: 100, example: 'Difference engine' })
const description = text({ max: 2000, example: 'Tables without errors.' }).nullable()

export const projectStatuses = ['active', 'archived'] as const
const status = z.enum(projectStatuses)

/** A project, as the REST API shows it. */
export const projectResource = z
  .object({ ...identity, owner_id: belonging, name, description, status, ...times })
  .meta({ id: 'Project' })

export type ProjectResource = z.infer<typeof projectResource>

export const createProjectBody = z
  .strictObject({ name, description: description.default(null), status: status.default('active') })
  .meta({ id: 'CreateProject' })

const anyField = { ...projectResource.partial().shape, name }

export const replaceProjectBody = z
  .strictObject({ ...anyField, description: description.default(null) })
  .meta({ id: 'ReplaceProject' })

export const patchProjectBody = createPatchSchema(z.strictObject(anyField)).meta({ id: 'PatchProject' })

export function toProject(project: ProjectRow): ProjectResource {
  const { id, owner_id, name, description, status, created_at, updated_at } = project
  return { id, owner_id, name, description, status, created_at, updated_at }
}
