import Validator from '@adobe/structured-data-validator'
import { expect, test } from '@playwright/test'
import WebAutoExtractor from '@marbec/web-auto-extractor'
import ts from 'typescript'
import { pagePaths } from './catalogue'

type Thing = Record<string, unknown>
type Things = Record<string, Thing[]>

/** The root types of each page's structured data. */
const KINDS: Record<string, RegExp> = {
  home: /^WebSite$/,
  article: /^BreadcrumbList,NewsArticle$/,
  place: /^BreadcrumbList,(Restaurant|LocalBusiness)$/,
  event: /^BreadcrumbList,Event$/,
  video: /^BreadcrumbList,VideoObject$/,
  contest: /^BreadcrumbList,WebPage$/,
  'best-of-list': /^BreadcrumbList,ItemList$/,
  neighbourhood: /^BreadcrumbList,Place$/,
  type: /^BreadcrumbList$/,
}

/** Google's required properties of types that the validator does not know (developers.google.com/search/docs). */
const NEEDED: Record<string, readonly string[]> = {
  NewsArticle: ['headline', 'image', 'datePublished', 'author'],
  Restaurant: ['name', 'address'],
  LocalBusiness: ['name', 'address'],
  Event: ['name', 'startDate', 'location'],
  ItemList: ['itemListElement'],
}

/**
 * Checks objects against schema.org's whole vocabulary, which Google's `schema-dts` expresses as
 * types: an unknown type or property, or a value of another type, does not compile.
 */
function unknownToSchemaOrg(objects: readonly Thing[]): string[] {
  const file = `${import.meta.dirname}/structured-data.generated.ts`
  const lines = objects.map((object, index) => {
    const type = `import('schema-dts').WithContext<import('schema-dts').${String(object['@type'])}>`
    return `export const thing${index}: ${type} = ${JSON.stringify(object)}`
  })
  const settings = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  }
  const host = ts.createCompilerHost(settings)
  const { getSourceFile, fileExists } = host
  host.fileExists = (name) => name === file || fileExists(name)
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(name, lines.join('\n'), ts.ScriptTarget.ES2022)
      : getSourceFile(name, ...rest)
  const program = ts.createProgram([file], settings, host)
  return ts.getPreEmitDiagnostics(program).map((found) => {
    const line = found.file?.getLineAndCharacterOfPosition(found.start ?? 0).line ?? 0
    const message = ts.flattenDiagnosticMessageText(found.messageText, '\n')
    return `${JSON.stringify(objects[line])}: ${message}`
  })
}

/** The validator's errors for a page, and its missing required properties. */
async function complaints(things: Things, html: string): Promise<string[]> {
  const missing = Object.values(things)
    .flat()
    .flatMap((object) => {
      const type = String(object['@type'])
      const names = NEEDED[type] ?? []
      return names.filter((name) => !object[name]).map((name) => `${type} has no ${name}`)
    })
  const issues = await new Validator().validate(new WebAutoExtractor().parse(html))
  const errors = issues.filter(({ severity }) => severity === 'ERROR')
  return [...missing, ...errors.map(({ rootType, issueMessage }) => `${rootType}: ${issueMessage}`)]
}

function thingsOf(html: string): Things {
  const { jsonld } = new WebAutoExtractor().parse(html)
  // Without the properties that the parser adds.
  const plain = (object: Thing) =>
    Object.fromEntries(
      Object.entries(object).filter(([name]) => !/^@(location|source)$/.test(name)),
    )
  return Object.fromEntries(
    Object.entries(jsonld).map(([type, objects]) => [type, objects.map(plain)]),
  )
}

/** A page with one object. */
function pageOf(object: Thing): string {
  const text = JSON.stringify({ '@context': 'https://schema.org', ...object })
  return `<html><script type="application/ld+json">${text}</script></html>`
}

test('the structured data of every page passes independent validators, which find errors', async ({
  request,
}) => {
  const paths = await pagePaths(request)
  const all: Thing[] = []
  for (const [name, expected] of Object.entries(KINDS)) {
    const html = await (await request.get(paths[name] ?? '')).text()
    const things = thingsOf(html)
    expect(Object.keys(things).sort().join(','), name).toMatch(expected)
    expect(await complaints(things, html), name).toEqual([])
    all.push(...Object.values(things).flat())
  }
  for (const [object, complaint] of [
    [{ '@type': 'Event', name: 'Fair', location: 'Here' }, /Event has no startDate/],
    [{ '@type': 'VideoObject', name: 'Ferry' }, /uploadDate/],
  ] as const) {
    const html = pageOf(object)
    expect((await complaints(thingsOf(html), html)).join('\n')).toMatch(complaint)
  }
  for (const object of [
    { '@type': 'Place', name: 'Here', colour: 'red' },
    { '@type': 'Placement', name: 'Here' },
    { '@type': 'Place', name: 7 },
    { '@type': 'Place', name: 'Here' },
  ]) {
    all.push(...Object.values(thingsOf(pageOf(object))).flat())
  }
  const errors = [/colour/, /Placement/, /not assignable/]
  expect(unknownToSchemaOrg(all)).toEqual(errors.map((error) => expect.stringMatching(error)))
})
