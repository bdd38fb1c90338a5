import { z } from 'zod'
import type { InvitationRow } from './tables.ts'
import { id, time } from '@sallyport/internal/resource-fields'
import { userRoles } from './roles.ts'
import { email } from './user-schemas.ts'

const invitedEmail = email.nullable().meta({
  description: 'The only address that can register; null for any address.',
  examples: ['ada@example.com'],
})

const role = z.enum(userRoles).meta({ description: 'The role of the user that registers.' })

/** An invitation, without its token. */
export const invitationResource = z
  .object({ id, email: invitedEmail, role, created_by: id, created_at: time, expires_at: time })
  .meta({ id: 'Invitation' })

export type InvitationResource = z.infer<typeof invitationResource>

export const createdInvitationResource = z
  .object({
    ...invitationResource.shape,
    token: z.string().meta({
      description: 'The `invitation` of a registration. It is shown once.',
      examples: ['inv_<token>'],
    }),
  })
  .meta({ id: 'CreatedInvitation' })

export const createInvitationBody = z
  .strictObject({
    email: invitedEmail.default(null),
    role: role.default('user'),
    valid_days: z
      .int()
      .min(1)
      .max(30)
      .default(7)
      .meta({ description: 'The days until the invitation expires.', examples: [7] }),
  })
  .meta({ id: 'CreateInvitation' })

export function toInvitation(row: InvitationRow): InvitationResource {
  const { id, email, role, created_by, created_at, expires_at } = row
  return { id, email, role, created_by, created_at, expires_at }
}
