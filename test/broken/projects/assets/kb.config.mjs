export default { assets: { inlineUnder: '500B', maxSize: '900B' } }
