export const hasMethod = (value: unknown, name: string): boolean =>
  typeof (Object(value) as Readonly<Record<string, unknown>>)[name] === 'function'
