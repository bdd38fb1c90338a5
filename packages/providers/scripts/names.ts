/** The name that a provider is exported under, and what its types and schemas begin with. */
export const identifier = (name: string): string =>
  name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Names that are taken by entries of the package itself. */
const entries = ['index', 'samples']

/** What the generated list of providers declares beside them. */
const declared = ['builtInProviders', 'builtInSamples']

/** Words that no module can export something under, and a name that reads as a value of the language. */
const words =
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false ' +
  'finally for function if implements import in instanceof interface let new null package private protected public ' +
  'return static super switch this throw true try typeof undefined var void while with yield'

const taken = new Set([...entries, ...declared, ...words.split(' ')])

/** Whether a name, or what it is exported under, is taken already. */
export const isTaken = (name: string): boolean => taken.has(name) || taken.has(identifier(name))
