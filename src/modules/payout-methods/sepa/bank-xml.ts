import { SaxesParser } from 'saxes'
import { invalid } from '../../../kernel/errors.ts'
import { type Client, giveWay } from '../../../kernel/slices.ts'
import { storableText } from '../../../kernel/text.ts'

/** An element of XML. Names are without the prefix of their namespace. */
export type Element = {
  /** The line in which it begins. */
  line: number
  text: string
  attributes: Record<string, string>
  children: Map<string, Element[]>
}

/** A part of the file is parsed at once. In characters. */
const partLength = 4_096
/** A message of 1 MiB has fewer. */
const maximumElements = 100_000
/** A message has fewer than 20. */
const maximumLevels = 50

const bad = (message: string) => invalid([{ field: 'file', message: `File ${message}` }])

/**
 * Reads XML. Other requests run between parts of the file. Entities are not expanded but for the five of XML: a message
 * has no DTD.
 * @returns the document, whose only child is the outermost element
 * @throws INVALID_INPUT; BAD_REQUEST if the client has gone
 */
export async function readXml(client: Client, file: string): Promise<Element> {
  if (/<!(DOCTYPE|ENTITY)/i.test(file)) throw bad('has a document type, which a message of a bank does not have.')
  const root: Element = { line: 1, text: '', attributes: {}, children: new Map() }
  const parser = parserInto(root)
  const text = storableText(file).trimStart()
  try {
    for (let at = 0; at < text.length; at += partLength) {
      parser.write(text.slice(at, at + partLength))
      await giveWay(client)
    }
    parser.close()
  } catch (error) {
    if (!(error instanceof BrokenXml)) throw error
    throw bad('is not XML that can be read. Download the message again.')
  }
  return root
}

/** Shared by all elements that have none: with objects of their own, garbage collection would take long. */
const noChildren: Element['children'] = new Map()
const noAttributes: Element['attributes'] = {}

class BrokenXml extends Error {}

const options = { xmlns: false, position: true } as const

function parserInto(root: Element): SaxesParser<typeof options> {
  const open = [root]
  let count = 0
  const parser = new SaxesParser(options)
  const addText = (text: string) => {
    const element = open.at(-1)
    if (element) element.text += text
  }
  parser.on('opentag', ({ name, attributes }) => {
    count += 1
    if (count > maximumElements)
      throw bad(`has more than ${maximumElements} elements. Ask the bank for shorter messages.`)
    if (open.length > maximumLevels) throw bad(`has more than ${maximumLevels} levels. Download the message again.`)
    const element: Element = {
      line: parser.line,
      text: '',
      attributes: withoutPrefixes(attributes),
      children: noChildren,
    }
    const parent = open.at(-1) as Element
    if (parent.children === noChildren) parent.children = new Map()
    const { children } = parent
    const local = withoutPrefix(name)
    const siblings = children.get(local)
    if (siblings) siblings.push(element)
    else children.set(local, [element])
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('error', ({ message }) => {
    throw new BrokenXml(message)
  })
  return parser
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)

const withoutPrefixes = (attributes: Record<string, string>): Record<string, string> => {
  const entries = Object.entries(attributes)
  if (entries.length === 0) return noAttributes
  return Object.fromEntries(entries.map(([name, value]) => [withoutPrefix(name), value]))
}
