import { z } from 'zod'
import type { CreateDocumentOptions } from 'zod-openapi'
import type { NotedWords } from './built.ts'

type Override = NonNullable<CreateDocumentOptions['override']>

/** Corrects what zod makes of a schema, while the schema is still known, and notes what words cannot tell later. */
export const overrideSchema: Override = ({ jsonSchema, zodSchema, io }) => {
  // That nobody changes an object in the program says nothing about who may send it.
  if (zodSchema instanceof z.ZodReadonly && !isReadOnly(zodSchema)) delete jsonSchema.readOnly
  if (zodSchema instanceof z.ZodDate && jsonSchema.type === 'string') {
    const { format, pattern, enum: texts } = jsonSchema
    const isOpen = format === undefined && pattern === undefined && texts === undefined
    // JSON has dates in this form; of the texts that are read as one, this is one of many.
    if (isOpen) Object.assign(jsonSchema, io === 'output' ? { format: 'date-time' } : readAsDate)
  }
  const { examples } = jsonSchema
  if (Array.isArray(examples)) jsonSchema.example ??= examples[0]
  delete jsonSchema.examples
  Object.assign(jsonSchema, notesOf(zodSchema))
  if (isIntersection(zodSchema)) Object.assign(jsonSchema, intersected)
  // With a format, it tells enough.
  const isText = jsonSchema.type === 'string' && jsonSchema.format === undefined
  if (io === 'input' && isText && isReadFurther(zodSchema)) {
    Object.assign(jsonSchema, lengthsOf(zodSchema.out) ?? untold)
  }
}

/** Whether a schema is said to be so, rather than `readonly`. */
function isReadOnly(schema: z.core.$ZodType): boolean {
  if (z.globalRegistry.get(schema)?.['readOnly'] === true) return true
  const { innerType } = schema._zod.def as { readonly innerType?: z.core.$ZodType }
  return innerType !== undefined && isReadOnly(innerType)
}

const untold: NotedWords = { '~untold': true }
const readAsDate: NotedWords = { '~readAs': 'date-time' }
const intersected: NotedWords = { '~intersection': true }

/** Whether an `allOf` is of zod, rather than said. */
function isIntersection(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodIntersection && z.globalRegistry.get(schema)?.['allOf'] === undefined
}

function notesOf(schema: z.core.$ZodType): NotedWords {
  const formats = [schema, ...(schema._zod.def.checks ?? [])].flatMap(formatOf)
  const pattern = formats.find(({ format }) => /^(uuid|guid|datetime|date)$/.test(format))?.pattern?.source
  const optional = schema instanceof z.ZodRecord && schema.valueType._zod.optout === 'optional'
  return {
    ...(pattern !== undefined && { '~formatPattern': pattern }),
    ...(formats.some(isUntold) && untold),
    ...(optional && { '~optional': true }),
  }
}

type Format = z.core.$ZodStringFormatDef & Pick<z.core.$ZodURLDef, 'protocol' | 'hostname'>

function formatOf({ _zod: { def } }: z.core.$ZodType | z.core.$ZodCheck): Format[] {
  return 'check' in def && def.check === 'string_format' ? [def as Format] : []
}

/** Whether a format asks for what neither its name nor a pattern tells. */
function isUntold({ format, pattern, protocol = /^/, hostname = /^/ }: Format): boolean {
  if (format !== 'url') return pattern === undefined
  return 'https'.search(protocol) < 0 || 'example.com'.search(hostname) < 0
}

/** Whether a text is to become something else, which most texts cannot. */
function isReadFurther(schema: z.core.$ZodType): schema is z.ZodPipe {
  if (!(schema instanceof z.ZodPipe) || schema.in instanceof z.ZodTransform) return false
  return !(schema.out instanceof z.ZodTransform)
}

/** What is asked of a text, when that is no more than its length. */
function lengthsOf(schema: z.core.$ZodType): NotedWords | undefined {
  if (!(schema instanceof z.ZodString)) return undefined
  const checks = schema.def.checks ?? []
  if (!checks.every(({ _zod: { def } }) => /length/.test(def.check))) return undefined
  return { '~lengths': [schema.minLength ?? 0, schema.maxLength ?? Infinity] }
}
