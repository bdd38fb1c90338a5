import type { JsonSchema } from './openapi/json-schema.ts'

/** Converts the texts of a parameter to the input of its schema. */
export interface ParameterReader {
  /** Whether the parameter may repeat. */
  readonly isList: boolean
  /** Whether the schema accepts a text as it is. */
  readonly acceptsText: boolean
  /** Whether the schema accepts a text, or the value that it is converted to. */
  readonly isReadable: boolean
  /** Whether the schema accepts the texts, or the values that they are converted to, as far as types and constants decide. */
  readonly takes: (texts: readonly string[]) => boolean
  /** Returns a text that no alternative takes as it is, so that the schema refuses it. */
  readonly read: (texts: readonly string[]) => unknown
}

/** A parameter without a known schema is text. */
export const textReader: ParameterReader = {
  isList: false,
  acceptsText: true,
  isReadable: true,
  takes: () => true,
  read: ([text]) => text,
}

/** Creates the reader of a parameter whose value matches one of the schemas. `expand` lists the schemas of an item. */
export function createParameterReader(
  schemas: readonly JsonSchema[],
  expand: (schema: JsonSchema) => readonly JsonSchema[],
): ParameterReader {
  const scalars = schemas.filter(isScalar)
  const list = schemas.find((schema) => schema.type === 'array')
  const itemsOf = (part: JsonSchema | boolean | undefined) =>
    typeof part === 'object' ? expand(part).filter(isScalar) : [{}]
  const first = list?.prefixItems?.map(itemsOf) ?? []
  const others = itemsOf(list?.items)
  const itemsAt = (index: number) => first[index] ?? others
  const isReadableList = list !== undefined && [...first, others].every((items) => items.length > 0)
  return {
    isList: list !== undefined,
    acceptsText: scalars.some(acceptsText),
    isReadable: scalars.length > 0 || isReadableList,
    takes(texts) {
      const [text = ''] = texts
      if (texts.length === 1 && scalars.some((schema) => takesText(text, schema))) return true
      const isTaken = (one: string, index: number) => itemsAt(index).some((schema) => takesText(one, schema))
      return list !== undefined && texts.every(isTaken)
    },
    read(texts) {
      const [text = ''] = texts
      const value = texts.length === 1 ? convert(text, scalars) : undefined
      if (value !== undefined) return value
      if (list === undefined) return text
      return texts.map((one, index) => convert(one, itemsAt(index)) ?? one)
    },
  }
}

const scalarTypes = new Set<unknown>([undefined, 'string', 'number', 'integer', 'boolean'])

function isScalar({ '~kind': kind, type, properties }: JsonSchema): boolean {
  return kind === undefined && properties === undefined && scalarTypes.has(type)
}

function acceptsText(schema: JsonSchema): boolean {
  if (schema['~coerces'] === true) return true
  const choices = listChoices(schema)
  return choices === undefined
    ? schema.type === undefined || schema.type === 'string'
    : choices.some((choice) => typeof choice === 'string')
}

/** Converts a text by the first schema that takes it; a schema for text comes first. */
function convert(text: string, schemas: readonly JsonSchema[]): unknown {
  const values = schemas.map((schema) => convertBy(text, schema)).filter((value) => value !== undefined)
  return values.find((value) => typeof value === 'string') ?? values[0]
}

const takesText = (text: string, schema: JsonSchema): boolean =>
  schema['~coerces'] === true || convertBy(text, schema) !== undefined

function convertBy(text: string, schema: JsonSchema): unknown {
  const choices = listChoices(schema)
  if (choices !== undefined)
    return choices.find((choice) => choice === text || JSON.stringify(choice) === text)
  switch (schema.type) {
    case undefined:
    case 'string':
      return text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined
    default:
      return toNumber(text)
  }
}

const listChoices = ({ enum: values, const: value }: JsonSchema): readonly unknown[] | undefined =>
  values ?? (value === undefined ? undefined : [value])

/** Converts a number as JSON writes it, unless a digit would be lost from an integer. */
function toNumber(text: string): number | undefined {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return undefined
  const value = Number(text)
  const isExact = /[.e]/i.test(text) ? Number.isFinite(value) : Number.isSafeInteger(value)
  return isExact ? value : undefined
}
