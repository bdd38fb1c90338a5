import { findClosestName } from '@sallyport/internal/closest-name'
import { settingSchemas } from './settings.ts'

/** The limits of the comparison. */
const limits = { names: 2000, notices: 10, shortest: 5, longest: 64 }

/** Describes variables that are probably misspelled names of settings or secrets. No value is read. */
export function describeMisspelled(
  environment: Readonly<Record<string, string | undefined>>,
  secretNames: readonly string[],
): readonly string[] {
  const known = new Set([...Object.keys(settingSchemas), ...secretNames].filter(isComparable))
  const notices: string[] = []
  for (const name of Object.keys(environment).slice(0, limits.names)) {
    if (known.has(name) || !isComparable(name) || !/^[A-Z0-9_]+$/.test(name)) continue
    const meant = findClosestName(name, known)
    // BUS_URL_2 is a bus of ROUTES_FILE, and other files refer to variables of this form too.
    if (meant === undefined || name.startsWith(`${meant}_`)) continue
    notices.push(`${name} is not a setting: use ${meant}, unless another program needs the variable`)
  }
  return notices.slice(0, limits.notices)
}

const isComparable = ({ length }: string): boolean => length >= limits.shortest && length <= limits.longest
