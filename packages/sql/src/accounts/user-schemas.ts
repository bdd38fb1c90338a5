import { z } from 'zod'
import { createPatchSchema } from '../resources/patch-schema.ts'
import { userRoles } from './roles.ts'
import { selectorField } from '@sallyport/internal/label-selector'
import { identity, textField, times } from '@sallyport/internal/resource-fields'

// The limits of RFC 5321, section 4.5.3.1, and of RFC 1035, section 2.3.4. Validators of `format: email` apply them.
export const email = z
  .email({ abort: true })
  .refine((address) => /^[^@]{1,64}@([^.]{1,63}(\.|$))+$/.test(address), {
    error: 'Must have at most 64 characters before the @, and 63 between dots after it',
  })
  .max(254)
  .toLowerCase()
const name = textField({ min: 2, max: 100, example: 'Ada Lovelace' })
const password = textField({ min: 8, max: 128, example: 'an analytical engine' }).meta({ writeOnly: true })

export const userStatuses = ['active', 'suspended'] as const

/** A user, as the REST API shows it. */
export const userResource = z
  .object({
    ...identity,
    email,
    name,
    role: z.enum(userRoles),
    status: z.enum(userStatuses),
    endpoints: selectorField.nullable().meta({
      description:
        'Limits the user to endpoints with these labels, and to what they received; a semicolon separates alternatives. Operations that do not serve such users answer 403. Null for no limit; always null for an admin.',
      examples: [null],
    }),
    issuer: z
      .string()
      .nullable()
      .optional()
      .meta({
        readOnly: true,
        description: 'The issuer that has the password, the e-mail address and the role; null without one.',
        examples: [null],
      }),
    ...times,
  })
  .meta({ id: 'User' })

export const createUserBody = z.strictObject({ email, name, password }).meta({ id: 'CreateUser' })

/** The body of a registration, unless only admins register users. */
export const createInvitedUserBody = createUserBody
  .extend({
    invitation: textField({ min: 1, max: 128, example: 'inv_<token>' })
      .meta({ writeOnly: true, description: 'The token of an invitation.' })
      .optional(),
  })
  .meta({ id: 'CreateInvitedUser' })

/** Without a minimum length, so that every existing password is valid. */
const currentPassword = textField({ max: 128, example: 'an analytical engine' }).meta({
  writeOnly: true,
  description: 'The password of the caller, to change a password or an e-mail address.',
})

const unrequired = userResource.omit({ email: true, name: true }).partial().shape

export const replaceUserBody = z
  .strictObject({
    email,
    name,
    password: password.optional(),
    current_password: currentPassword.optional(),
    ...unrequired,
  })
  .meta({ id: 'ReplaceUser' })

export const patchUserBody = createPatchSchema(replaceUserBody).meta({ id: 'PatchUser' })

export type UserChanges = z.infer<typeof patchUserBody>
