/** The oldest supported version of Node.js. */
const minimum = [22, 18] as const

/** Describes an unsupported version of Node.js; undefined for a supported one. */
export function runtimeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < minimum[0] || (major === minimum[0] && minor < minimum[1])
  return isOld
    ? `Sallyport needs Node.js ${minimum.join('.')} or newer, but this is ${version}: run "npm start", which uses a supported version.`
    : undefined
}
