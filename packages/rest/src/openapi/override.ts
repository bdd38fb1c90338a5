import { z } from 'zod'
import type { CreateDocumentOptions } from 'zod-openapi'

/** Corrects what zod makes of a schema, while the schema is still known. */
export const overrideSchema: NonNullable<CreateDocumentOptions['override']> = ({ jsonSchema, zodSchema }) => {
  // That nobody changes an object in the program says nothing about who may send it.
  if (zodSchema instanceof z.ZodReadonly && !isReadOnly(zodSchema)) delete jsonSchema.readOnly
  const { examples } = jsonSchema
  if (Array.isArray(examples)) jsonSchema.example ??= examples[0]
  delete jsonSchema.examples
}

/** Whether a schema is said to be so, rather than `readonly`. */
function isReadOnly(schema: z.core.$ZodType): boolean {
  if (z.globalRegistry.get(schema)?.['readOnly'] === true) return true
  const { innerType } = schema._zod.def as { readonly innerType?: z.core.$ZodType }
  return innerType !== undefined && isReadOnly(innerType)
}
