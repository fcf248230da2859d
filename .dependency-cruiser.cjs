module.exports = {
  forbidden: [],
};
