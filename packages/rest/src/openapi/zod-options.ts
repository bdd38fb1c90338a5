import type { z } from 'zod'
import type { Direction } from './component-names.ts'
import type { JsonSchema } from './json-schema.ts'

interface Overridden {
  readonly zodSchema: z.core.$ZodTypes
  readonly jsonSchema: { -readonly [Keyword in keyof JsonSchema]: JsonSchema[Keyword] } & { id?: string }
}

/**
 * Creates the options of zod's conversion to JSON Schema. The overrides document what zod leaves out or what is not true of
 * an API:
 *
 * - dates and large integers, which have no JSON Schema
 * - `.readonly()`, which freezes the value in the program and says nothing about requests
 * - objects of responses, which later versions may extend
 * - the discriminator of a union, from which code generators select the class
 * - the pattern of a format, which has up to 400 characters
 *
 * @param onId receives the id of the schema itself
 */
export function zodOptions(schema: object, direction: Direction, onId: (id: string) => void) {
  return {
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }: Overridden): void {
      const { def } = zodSchema._zod
      const { id } = jsonSchema
      if (zodSchema === schema && typeof id === 'string') {
        onId(id)
        delete jsonSchema.id
      }
      if (def.type === 'date') {
        jsonSchema.type ??= 'string'
        const isOpen = jsonSchema.pattern === undefined && jsonSchema.enum === undefined
        if (isOpen) jsonSchema.format ??= 'date-time'
      }
      if (def.type === 'bigint') jsonSchema.type ??= 'integer'
      if (def.type === 'undefined') jsonSchema.not ??= {}
      if (def.type === 'readonly' && !isReadOnly(zodSchema)) delete jsonSchema.readOnly
      if (def.type === 'object' && direction === 'output' && def.catchall === undefined)
        delete jsonSchema.additionalProperties
      if (def.type === 'union') addDiscriminator(def, jsonSchema)
      if (
        def.type === 'pipe' &&
        direction === 'input' &&
        isConversion(def) &&
        jsonSchema.format === undefined
      )
        jsonSchema['~incomplete'] = true
      if (def.type === 'string') removeFormatPattern(def, jsonSchema)
    },
  }
}

/** Whether metadata marks a schema as read-only. */
function isReadOnly(schema: z.core.$ZodType): boolean {
  const metadata = (schema as { meta?: () => { readonly readOnly?: unknown } | undefined }).meta?.()
  if (metadata?.readOnly === true) return true
  const { innerType } = schema._zod.def as { readonly innerType?: z.core.$ZodType }
  return innerType !== undefined && isReadOnly(innerType)
}

/** Whether a text is converted to another type, which fails for most texts. */
function isConversion({ in: from, out }: z.core.$ZodPipeDef): boolean {
  return (
    from._zod.def.type === 'string' && out._zod.def.type !== 'transform' && out._zod.def.type !== 'string'
  )
}

function addDiscriminator(def: z.core.$ZodUnionDef, jsonSchema: Overridden['jsonSchema']): void {
  const { discriminator: propertyName, options } = def as Partial<z.core.$ZodDiscriminatedUnionDef>
  if (propertyName === undefined || options === undefined) return
  const mapping: Record<string, string> = {}
  for (const [index, { $ref }] of (jsonSchema.oneOf ?? []).entries()) {
    const values = options[index]?._zod.propValues
    // A discriminator selects components only.
    if ($ref === undefined || values === undefined) return
    for (const value of values[propertyName] ?? []) mapping[String(value)] = $ref
  }
  jsonSchema.discriminator = { propertyName, mapping }
}

const describedFormats = new Set(['uuid', 'guid', 'datetime', 'date'])

interface FormatDef {
  readonly format?: string
  readonly pattern?: RegExp
  readonly version?: string
  readonly precision?: number | null
  readonly local?: boolean
}

/** Removes the pattern of a format without options. */
function removeFormatPattern(def: z.core.$ZodStringDef, jsonSchema: Overridden['jsonSchema']): void {
  const checks = [def, ...(def.checks ?? []).map(({ _zod }) => _zod.def)] as readonly FormatDef[]
  const isOwn = ({ format = '', pattern, version, precision, local }: FormatDef) =>
    describedFormats.has(format) &&
    pattern?.source === jsonSchema.pattern &&
    version === undefined &&
    typeof precision !== 'number' &&
    local !== true
  if (checks.some(isOwn)) delete jsonSchema.pattern
}
