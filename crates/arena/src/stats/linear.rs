//! Symmetric matrices, as much as Newton's method needs.

/// Rows.
pub(crate) type Matrix = Vec<Vec<f64>>;

/// A square matrix of zeros.
pub(crate) fn zeros(size: usize) -> Matrix {
    vec![vec![0.0; size]; size]
}

/// Lower factor of a symmetric matrix; `None` if it is not positive definite.
pub(crate) fn cholesky(mut m: Matrix) -> Option<Matrix> {
    for i in 0..m.len() {
        let (above, rest) = m.split_at_mut(i);
        let row = &mut rest[0];
        for j in 0..i {
            let dot: f64 = row[..j].iter().zip(&above[j][..j]).map(|(a, b)| a * b).sum();
            row[j] = (row[j] - dot) / above[j][j];
        }
        let left = row[i] - row[..i].iter().map(|a| a * a).sum::<f64>();
        row[i] = (left > 0.0).then(|| left.sqrt())?;
    }
    Some(m)
}

/// Solves `L L^T x = b`.
pub(crate) fn solve(factor: &Matrix, mut b: Vec<f64>) -> Vec<f64> {
    for i in 0..b.len() {
        let dot: f64 = factor[i][..i].iter().zip(&b).map(|(a, b)| a * b).sum();
        b[i] = (b[i] - dot) / factor[i][i];
    }
    for i in (0..b.len()).rev() {
        b[i] /= factor[i][i];
        let x = b[i];
        b[..i].iter_mut().zip(&factor[i]).for_each(|(b, a)| *b -= a * x);
    }
    b
}

/// `(L L^T)^-1 M (L L^T)^-1` for a symmetric `M`.
pub(crate) fn sandwich(factor: &Matrix, middle: Matrix) -> Matrix {
    let half: Matrix = middle.into_iter().map(|row| solve(factor, row)).collect();
    transposed(half).into_iter().map(|row| solve(factor, row)).collect()
}

fn transposed(m: Matrix) -> Matrix {
    (0..m.len()).map(|j| m.iter().map(|row| row[j]).collect()).collect()
}
