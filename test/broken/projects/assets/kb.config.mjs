export default { assets: { inlineUnder: '500B' } }
