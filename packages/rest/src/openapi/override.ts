import { z } from 'zod'
import type { CreateDocumentOptions } from 'zod-openapi'
import type { SchemaNotes } from './document-model.ts'

type Override = NonNullable<CreateDocumentOptions['override']>

/** Corrects the JSON Schema of a zod schema and adds notes for later steps, which have only the JSON Schema. */
export const overrideSchema: Override = ({ jsonSchema, zodSchema, io }) => {
  // `.readonly()` freezes the value in the program and says nothing about requests.
  if (zodSchema instanceof z.ZodReadonly && !isReadOnly(zodSchema)) delete jsonSchema.readOnly
  if (zodSchema instanceof z.ZodDate && jsonSchema.type === 'string') {
    const { format, pattern, enum: texts } = jsonSchema
    const isOpen = format === undefined && pattern === undefined && texts === undefined
    // A Date is written in this format; a coercing schema also accepts other text.
    if (isOpen) Object.assign(jsonSchema, io === 'output' ? { format: 'date-time' } : inputDate)
  }
  const { examples } = jsonSchema
  if (Array.isArray(examples)) jsonSchema.example ??= examples[0]
  delete jsonSchema.examples
  Object.assign(jsonSchema, createNotes(zodSchema))
  if (isIntersection(zodSchema)) Object.assign(jsonSchema, intersected)
  // A format describes the text sufficiently.
  const isText = jsonSchema.type === 'string' && jsonSchema.format === undefined
  if (io === 'input' && isText && isConverted(zodSchema)) {
    Object.assign(jsonSchema, getLengths(zodSchema.out) ?? incomplete)
  }
}

/** Whether metadata marks a schema as read-only, as opposed to `.readonly()`. */
function isReadOnly(schema: z.core.$ZodType): boolean {
  if (z.globalRegistry.get(schema)?.['readOnly'] === true) return true
  const { innerType } = schema._zod.def as { readonly innerType?: z.core.$ZodType }
  return innerType !== undefined && isReadOnly(innerType)
}

const incomplete: SchemaNotes = { '~incomplete': true }
const inputDate: SchemaNotes = { '~inputFormat': 'date-time' }
const intersected: SchemaNotes = { '~intersection': true }

/** Whether `allOf` comes from zod and not from metadata. */
function isIntersection(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodIntersection && z.globalRegistry.get(schema)?.['allOf'] === undefined
}

function createNotes(schema: z.core.$ZodType): SchemaNotes {
  const formats = [schema, ...(schema._zod.def.checks ?? [])].flatMap(getFormats)
  const pattern = formats.find(({ format }) => /^(uuid|guid|datetime|date)$/.test(format))?.pattern?.source
  const optional = schema instanceof z.ZodRecord && schema.valueType._zod.optout === 'optional'
  return {
    ...(pattern !== undefined && { '~formatPattern': pattern }),
    ...(formats.some(isIncomplete) && incomplete),
    ...(optional && { '~optional': true }),
  }
}

type Format = z.core.$ZodStringFormatDef & Pick<z.core.$ZodURLDef, 'protocol' | 'hostname'>

function getFormats({ _zod: { def } }: z.core.$ZodType | z.core.$ZodCheck): Format[] {
  return 'check' in def && def.check === 'string_format' ? [def as Format] : []
}

/** Whether a format has a rule that neither its name nor its pattern describes. */
function isIncomplete({ format, pattern, protocol = /^/, hostname = /^/ }: Format): boolean {
  if (format !== 'url') return pattern === undefined
  return 'https'.search(protocol) < 0 || 'example.com'.search(hostname) < 0
}

/** Whether text is converted to another type, which fails for most text. */
function isConverted(schema: z.core.$ZodType): schema is z.ZodPipe {
  if (!(schema instanceof z.ZodPipe) || schema.in instanceof z.ZodTransform) return false
  return !(schema.out instanceof z.ZodTransform)
}

/** The length limits of a text if it has no other checks. */
function getLengths(schema: z.core.$ZodType): SchemaNotes | undefined {
  if (!(schema instanceof z.ZodString)) return undefined
  const checks = schema.def.checks ?? []
  if (!checks.every(({ _zod: { def } }) => /length/.test(def.check))) return undefined
  return { '~lengths': [schema.minLength ?? 0, schema.maxLength ?? Infinity] }
}
